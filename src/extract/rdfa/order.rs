//! Finding equal resources: sorted order, since a hash table needs a secret to stay fast on hostile input.

use super::context::{Context, Resource};
use core::cmp::Ordering;

/// Sorts by heap sort: in place, `n log n` whatever the input, and a tenth of the code of the library's sort.
pub(super) fn sort<T>(items: &mut [T], compare: &dyn Fn(&T, &T) -> Ordering) {
    let n = items.len();
    for root in (0..n / 2).rev() {
        sift(items, root, compare);
    }
    for end in (1..n).rev() {
        items.swap(0, end);
        sift(&mut items[..end], 0, compare);
    }
}

/// Moves the item at `root` down to its place in the heap.
fn sift<T>(heap: &mut [T], mut root: usize, compare: &dyn Fn(&T, &T) -> Ordering) {
    loop {
        let mut child = 2 * root + 1;
        if child >= heap.len() {
            return;
        }
        if child + 1 < heap.len() && compare(&heap[child], &heap[child + 1]) == Ordering::Less {
            child += 1;
        }
        if compare(&heap[root], &heap[child]) != Ordering::Less {
            return;
        }
        heap.swap(root, child);
        root = child;
    }
}

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
