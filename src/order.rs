//! Sorting and finding, once for the whole program: the library's generic sorts are 30 KB of wasm here, instance by
//! instance; this one is 200 bytes.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// The numbers below `n` in the order of `compare`; equal ones in their own order. Heap sort: `n log n` whatever the
/// input, in place.
pub fn sorted(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    sort(&mut order, compare);
    order
}

/// Sorts numbers (indices of something) by `compare`; equal ones in their own order.
pub fn sort(order: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    let n = order.len();
    for root in (0..n / 2).rev() {
        sift(order, root, compare);
    }
    for end in (1..n).rev() {
        order.swap(0, end);
        sift(&mut order[..end], 0, compare);
    }
}

/// Moves the number at `root` down to its place in the heap.
fn sift(heap: &mut [usize], mut root: usize, compare: &dyn Fn(usize, usize) -> Ordering) {
    let less = |a: usize, b: usize| compare(a, b).then(a.cmp(&b)) == Ordering::Less;
    loop {
        let mut child = 2 * root + 1;
        if child >= heap.len() {
            return;
        }
        if child + 1 < heap.len() && less(heap[child], heap[child + 1]) {
            child += 1;
        }
        if !less(heap[root], heap[child]) {
            return;
        }
        heap.swap(root, child);
        root = child;
    }
}

/// Where the first of `order` stands that `compare` does not call less, in an order sorted by the same.
pub fn first_not_less(order: &[usize], compare: &dyn Fn(usize) -> Ordering) -> usize {
    let (mut low, mut high) = (0, order.len());
    while low < high {
        let middle = (low + high) / 2;
        if compare(order[middle]) == Ordering::Less {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_and_keeps_the_order_of_equals() {
        let keys = [3, 1, 2, 1, 3, 0, 2];
        assert_eq!(sorted(keys.len(), &|a, b| keys[a].cmp(&keys[b])), [5, 1, 3, 2, 6, 0, 4]);
        let order = sorted(keys.len(), &|a, b| keys[a].cmp(&keys[b]));
        assert_eq!(first_not_less(&order, &|i| keys[i].cmp(&2)), 3);
        assert_eq!(first_not_less(&order, &|i| keys[i].cmp(&9)), 7);
    }
}
