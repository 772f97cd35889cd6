//! The contract of the store: one suite, run on SQLite and on PostgreSQL, in every run.

mod changes;
mod documents;
mod filters;
mod migrations;
mod records;
mod remembered;
mod world;

/// Each named test runs on both engines, as two tests.
macro_rules! on_both_engines {
    ($($(#[$note:meta])* async fn $name:ident($world:ident: &World) $body:block)+) => {
        $(
            mod $name {
                use super::*;

                $(#[$note])*
                async fn check($world: &World) $body

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn sqlite() {
                    check(&World::sqlite().await).await;
                }

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn postgres() {
                    check(&World::postgres().await).await;
                }
            }
        )+
    };
}
pub(crate) use on_both_engines;
