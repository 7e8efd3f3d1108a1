<?php
/**
 * Removes the plugin's own data. Orders keep their notes, statuses and transaction ids.
 *
 * @package Momo_Kiosk
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/** Removes a shop's data. */
function momo_kiosk_uninstall() {
	global $wpdb;
	foreach ( array( 'woocommerce_momo_kiosk_settings', 'momo_kiosk_table', 'momo_kiosk_home', 'momo_kiosk_heard', 'momo_kiosk_tended', 'momo_kiosk_secret_live', 'momo_kiosk_secret_test', 'momo_kiosk_trouble' ) as $option ) {
		delete_option( $option );
	}
	delete_transient( 'momo_kiosk_held' );
	// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- the plugin's own table.
	$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}momo_kiosk_charges" );
	if ( function_exists( 'as_unschedule_all_actions' ) ) {
		as_unschedule_all_actions( '', array(), 'momo-kiosk' );
	}
}

if ( is_multisite() ) {
	foreach ( get_sites(
		array(
			'fields' => 'ids',
			'number' => 0,
		)
	) as $momo_kiosk_site ) {
		switch_to_blog( $momo_kiosk_site );
		momo_kiosk_uninstall();
		restore_current_blog();
	}
} else {
	momo_kiosk_uninstall();
}
