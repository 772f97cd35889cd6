-- Collections, their files and documents, decision records, problems, the change log, and what a library remembers beside them.
-- `@key` is a 64-bit integer primary key, `@bytewise` pins the collation so that both engines order text alike, `@clustered` stores a table in its key.

-- One row. Every writer updates it first, so that sequence numbers become visible in the order in which they were given out.
CREATE TABLE counters (
    id @key,
    sequence BIGINT NOT NULL,
    document_id BIGINT NOT NULL,
    collection_id BIGINT NOT NULL
);
INSERT INTO counters (id, sequence, document_id, collection_id) VALUES (1, 0, 0, 0);

CREATE TABLE collections (
    id @key,
    name TEXT @bytewise NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    root TEXT NOT NULL
);

CREATE TABLE files (
    collection_id BIGINT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    path TEXT @bytewise NOT NULL,
    unit TEXT @bytewise NOT NULL,
    size_bytes BIGINT NOT NULL,
    modified_ns BIGINT NOT NULL,
    inode BIGINT NOT NULL,
    PRIMARY KEY (collection_id, path)
) @clustered;
CREATE INDEX files_by_unit ON files (collection_id, unit);

-- Everything that listings show; the text stands apart, so that listings never read it.
CREATE TABLE documents (
    id @key,
    collection_id BIGINT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    unit TEXT @bytewise NOT NULL,
    kind TEXT @bytewise NOT NULL,
    uri TEXT @bytewise NOT NULL,
    path TEXT @bytewise NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    tags TEXT NOT NULL,
    date TEXT,
    size_bytes BIGINT NOT NULL,
    body_start BIGINT NOT NULL,
    body_end BIGINT NOT NULL,
    stamp TEXT NOT NULL,
    is_draft BIGINT NOT NULL,
    fingerprint TEXT NOT NULL
);
CREATE INDEX documents_by_unit ON documents (collection_id, unit);
CREATE INDEX documents_by_path ON documents (collection_id, path);
CREATE INDEX documents_by_uri ON documents (uri);
CREATE INDEX documents_by_kind ON documents (kind, uri);

CREATE TABLE texts (
    document_id @key REFERENCES documents (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    sections TEXT NOT NULL,
    links TEXT NOT NULL
);

-- All that a record says; apart, because counting and sorting read many records and never this.
CREATE TABLE facts (
    document_id @key REFERENCES documents (id) ON DELETE CASCADE,
    facts TEXT NOT NULL
);

-- Columns that end in `_key` hold folded text (lower case, composed), so that comparing needs no function of the engine.
CREATE TABLE records (
    document_id @key REFERENCES documents (id) ON DELETE CASCADE,
    collection_id BIGINT NOT NULL,
    is_draft BIGINT NOT NULL,
    record_id TEXT @bytewise NOT NULL,
    reference TEXT,
    status TEXT NOT NULL,
    date_key TEXT @bytewise NOT NULL,
    project TEXT @bytewise NOT NULL,
    project_key TEXT @bytewise NOT NULL,
    type_key TEXT @bytewise NOT NULL,
    status_key TEXT @bytewise NOT NULL,
    id_key TEXT @bytewise NOT NULL,
    last_key TEXT @bytewise NOT NULL,
    number_key TEXT @bytewise,
    reference_key TEXT @bytewise,
    has_review BIGINT NOT NULL,
    has_reviewers BIGINT NOT NULL,
    is_superseded BIGINT NOT NULL
);
CREATE INDEX records_newest ON records (date_key DESC, record_id, document_id, project_key, type_key, status_key) WHERE is_draft = 0;
CREATE INDEX records_of_project ON records (project_key, date_key DESC, record_id, document_id) WHERE is_draft = 0;
CREATE INDEX records_by_id ON records (id_key);
CREATE INDEX records_by_last_part ON records (last_key);
CREATE INDEX records_by_number ON records (number_key) WHERE number_key IS NOT NULL;
CREATE INDEX records_by_reference ON records (reference_key) WHERE reference_key IS NOT NULL;
CREATE INDEX records_superseded ON records (status_key, document_id) WHERE is_superseded = 1;
CREATE INDEX records_with_review ON records (document_id) WHERE has_review = 1 OR has_reviewers = 1;

-- How many served records there are of each project, type and status: totals without counting rows.
CREATE TABLE record_counts (
    collection_id BIGINT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    project TEXT @bytewise NOT NULL,
    project_key TEXT @bytewise NOT NULL,
    type_key TEXT @bytewise NOT NULL,
    status_key TEXT @bytewise NOT NULL,
    records BIGINT NOT NULL,
    PRIMARY KEY (collection_id, project, type_key, status_key)
);

-- Tags, authors, deciders and metadata fields of served documents. `name` is the folded field name, empty for the others;
-- `value` is the word as written, for fields the field's name as written; `is_first` marks the first value of a field in a document.
CREATE TABLE labels (
    document_id BIGINT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    label TEXT @bytewise NOT NULL,
    name TEXT @bytewise NOT NULL,
    value_key TEXT @bytewise NOT NULL,
    value TEXT @bytewise NOT NULL,
    is_first BIGINT NOT NULL,
    PRIMARY KEY (label, name, value_key, document_id)
) @clustered;
CREATE INDEX labels_by_document ON labels (document_id, label);

CREATE TABLE relations (
    document_id BIGINT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    form TEXT @bytewise NOT NULL,
    target_key TEXT @bytewise NOT NULL
);
CREATE INDEX relations_by_target ON relations (target_key, form);
CREATE INDEX relations_by_document ON relations (document_id);

CREATE TABLE problems (
    collection_id BIGINT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    unit TEXT @bytewise,
    position BIGINT NOT NULL,
    code TEXT NOT NULL,
    severity TEXT NOT NULL,
    path TEXT @bytewise NOT NULL,
    line_number BIGINT,
    message TEXT NOT NULL,
    hint TEXT
);
CREATE INDEX problems_by_unit ON problems (collection_id, unit);

-- The newest change of each document that ever was. Document ids are never given out twice.
CREATE TABLE change_log (
    document_id @key,
    sequence BIGINT NOT NULL UNIQUE,
    is_removed BIGINT NOT NULL
);

CREATE TABLE operations (
    time_ms BIGINT NOT NULL,
    principal TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    outcome TEXT NOT NULL,
    detail TEXT
);
CREATE INDEX operations_by_time ON operations (time_ms);

CREATE TABLE settings (
    key TEXT @bytewise PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE tokens (
    name TEXT @bytewise PRIMARY KEY,
    hash TEXT @bytewise NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    last_used_ms BIGINT
);
