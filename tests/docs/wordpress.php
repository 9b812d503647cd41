<?php
// As much of WordPress as the documentation's PHP needs: prints the head of a page.
const ABSPATH = '/';
$actions = [];
$enqueued = [];
function add_action($hook, $work, $priority = 10) { global $actions; $actions[$hook][] = $work; }
function add_filter($hook, $work, $priority = 10, $arguments = 1) { global $actions; $actions[$hook][] = $work; }
function wp_enqueue_script($handle, $src, $deps = [], $version = false, $args = []) { global $enqueued; $enqueued[$handle] = [$src, $version, $args]; }
function home_url($path = '') { return $path; }
function plugins_url($path, $file) { return '/' . $path; }
function esc_url($url) { return htmlspecialchars($url); }
function esc_attr($text) { return htmlspecialchars($text); }
function is_admin() { return false; }
require $argv[1];
foreach ($actions['wp_enqueue_scripts'] ?? [] as $work) $work();
foreach ($enqueued as $handle => [$src, $version, $args]) {
    $attributes = ['src' => $src . ($version ? "?ver=$version" : ''), 'id' => "$handle-js"];
    if ($args['strategy'] ?? '') $attributes[$args['strategy']] = true;
    foreach ($actions['wp_script_attributes'] ?? [] as $work) $attributes = $work($attributes);
    echo '<script';
    foreach ($attributes as $name => $value) echo $value === true ? " $name" : " $name=\"" . esc_attr($value) . '"';
    echo "></script>\n";
}
foreach ($actions['wp_head'] ?? [] as $work) $work();
