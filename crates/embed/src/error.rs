//! Why there is no vector: each error names the model, the reason and, where there is one, the way on.

/// Why there is no vector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmbedError {
    /// The model's files are not what they should be.
    #[error("the model {model} cannot be used: {reason}")]
    Unusable {
        /// Folder or name of the model.
        model: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The model did not answer, or answered nonsense. It may do better later.
    #[error("the model {model} gave no answer: {reason}")]
    NoAnswer {
        /// Name or address of the model, without secrets.
        model: String,
        /// What came instead.
        reason: String,
    },
}
