<?php
/**
 * Plugin Name: AgenticSchema
 * Description: Turns the Schema.org markup of your pages into WebMCP tools.
 * Version: 0.1.0
 * Requires at least: 6.3
 * Requires PHP: 7.4
 * License: MIT
 */

defined( 'ABSPATH' ) || exit;

// agenticschema.js and agenticschema.nowasm.js lie beside this file.
add_action( 'wp_enqueue_scripts', function () {
	wp_enqueue_script(
		'agenticschema',
		plugins_url( 'agenticschema.js', __FILE__ ),
		array(),
		'0.1.0',
		array( 'strategy' => 'defer', 'in_footer' => false )
	);
} );

// Options of the tag: one line each.
add_filter( 'wp_script_attributes', function ( $attributes ) {
	if ( isset( $attributes['id'] ) && 'agenticschema-js' === $attributes['id'] ) {
		$attributes['data-max-tools'] = '24';
	}
	return $attributes;
} );
