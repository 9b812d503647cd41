//! Broken JSON, one row per repair.
