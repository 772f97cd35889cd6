//! Commands of the shell, one file each.

pub mod add;
pub mod call;
pub mod check;
pub mod connect;
pub mod doctor;
pub mod get;
pub mod mcp;
pub mod new;
pub mod publish;
pub mod search;
pub mod serve;
pub mod status;
pub mod supersede;
pub mod sync;
pub mod token;
pub mod tools;
