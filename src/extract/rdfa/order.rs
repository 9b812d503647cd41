//! Finding equal resources: sorted order, since a hash table needs a secret to stay fast on hostile input.

use super::context::{Context, Resource};
use core::cmp::Ordering;

/// A resource and something about it, to be sorted and found by the resource.
#[derive(Clone, Copy)]
pub(super) struct Keyed<'a, T> {
    pub(super) resource: Resource<'a>,
    pub(super) value: T,
}

/// Index of the first of `keys`, sorted by resource, that has this resource.
pub(super) fn find<T>(context: &Context<'_>, keys: &[Keyed<'_, T>], resource: Resource<'_>) -> Option<usize> {
    let (mut low, mut high) = (0, keys.len());
    while low < high {
        let middle = (low + high) / 2;
        if context.compare(keys[middle].resource, resource) == Ordering::Less {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    keys.get(low).filter(|k| context.same(k.resource, resource)).map(|_| low)
}
