//! Operations, settings and tokens.

use super::on_both_engines;
use super::world::World;
use crate::{Operation, TokenRow};

on_both_engines! {
    async fn operations_are_listed_newest_first(world: &World) {
        let operation = |time_ms: i64, detail: Option<&str>| Operation {
            time_ms,
            principal: "owner".to_owned(),
            action: "create_record".to_owned(),
            target: "decision://sre/adr/0001-a".to_owned(),
            outcome: "done".to_owned(),
            detail: detail.map(str::to_owned),
        };
        for operation in [operation(1, None), operation(3, Some("+1 -0")), operation(2, None)] {
            world.store.log_operation(&operation).await.unwrap();
        }
        assert_eq!(world.store.operations(2).await.unwrap(), [operation(3, Some("+1 -0")), operation(2, None)]);
    }

    async fn a_setting_is_replaced(world: &World) {
        assert_eq!(world.store.setting("owner").await.unwrap(), None);
        world.store.put_setting("owner", "a").await.unwrap();
        world.store.put_setting("owner", "{\"b\": \"'\"}").await.unwrap();
        assert_eq!(world.store.setting("owner").await.unwrap().as_deref(), Some("{\"b\": \"'\"}"));
        assert_eq!(world.second().await.setting("owner").await.unwrap().as_deref(), Some("{\"b\": \"'\"}"));
    }

    async fn tokens_are_kept_by_name(world: &World) {
        let token = |name: &str, hash: &str| TokenRow {
            name: name.to_owned(),
            hash: hash.to_owned(),
            scopes: "{\"read\":true}".to_owned(),
            created_ms: 5,
            last_used_ms: None,
        };
        world.store.put_token(&token("b", "01")).await.unwrap();
        world.store.put_token(&token("a", "02")).await.unwrap();
        let used = TokenRow { last_used_ms: Some(9), ..token("b", "01") };
        world.store.put_token(&used).await.unwrap();
        assert_eq!(world.store.tokens().await.unwrap(), [token("a", "02"), used]);
        assert!(world.store.put_token(&token("c", "02")).await.is_err(), "one hash, one token");
        assert!(world.store.remove_token("b").await.unwrap());
        assert!(!world.store.remove_token("b").await.unwrap());
    }
}
