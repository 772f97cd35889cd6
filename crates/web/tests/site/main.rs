//! The whole site over a real library in a temporary folder, without a network.

mod citations;
mod hostile;
mod pages;
mod published;
mod signing_in;
mod site;
