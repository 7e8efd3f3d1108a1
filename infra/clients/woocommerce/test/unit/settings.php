<?php
foreach ( array(
	'https://pay.example.com'       => true,
	'https://pay.example.com/stage' => true,
	'http://pay.example.com'        => false,
	'http://localhost:3000'         => false,
	'https://user@pay.example.com'  => false,
	'https://pay.example.com?x'     => false,
	'pay.example.com'               => false,
	'ftp://pay.example.com'         => false,
	''                              => false,
) as $address => $is_good ) {
	same( "of a shop that is live, the address “{$address}”", $is_good, Momo_Kiosk_Settings::is_good_address( $address ) );
}
$GLOBALS['environment_type'] = 'local';
same( 'a developer’s own machine is taken where WordPress is a developer’s', true, Momo_Kiosk_Settings::is_good_address( 'http://localhost:3000' ) );
same( 'no other http is', false, Momo_Kiosk_Settings::is_good_address( 'http://192.168.1.5:3000' ) );
same( 'nor what only begins like it', false, Momo_Kiosk_Settings::is_good_address( 'http://localhost.evil.example' ) );

foreach ( array( '' => 3600, '60' => 3600, '1' => 300, '5' => 300, '10080' => 604800, '99999' => 604800, 'x' => 3600 ) as $minutes => $seconds ) {
	$GLOBALS['options'][ Momo_Kiosk_Settings::OPTION ] = array( 'minutes' => $minutes );
	same( "“{$minutes}” minutes are what the API takes", $seconds, Momo_Kiosk_Settings::expires_in() );
}

// When a charge is asked about.
$now = 1000000000;
same( 'after ten minutes at first', $now + 600, Momo_Kiosk_Charges::next_look( 'pending', $now, null, $now ) );
$looks = array();
for ( $at = $now, $until = $now + DAY_IN_SECONDS; $at < $until; $looks[] = $at - $before ) {
	$before = $at;
	$at     = Momo_Kiosk_Charges::next_look( 'pending', $now, null, $at );
}
same( 'then at least hourly, for as long as it is pending', 3600, max( $looks ) );
same( 'an unpaid charge still hourly at first', $now + 3600, Momo_Kiosk_Charges::next_look( 'expired', $now - 3600, $now, $now ) );
$count = 0;
for ( $at = $now; null !== $at; $count++ ) {
	$at = Momo_Kiosk_Charges::next_look( 'success', $now, $now, $at );
}
same( 'a paid one ever less often, until no network takes money back', true, $count > 15 && $count < 35 );
same( 'one that is paid by money that is not verified is asked about sooner', $now + 600, Momo_Kiosk_Charges::next_look( 'unverified', $now - 3600, $now, $now ) );
same( 'one that was taken back never again', null, Momo_Kiosk_Charges::next_look( 'reversed', $now, $now, $now ) );
