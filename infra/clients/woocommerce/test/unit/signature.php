<?php
// Example from the Standard Webhooks reference libraries.
$secret    = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
$body      = '{"test": 2432232314}';
$id        = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
$timestamp = '1614265330';
$signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
$now       = 1614265330;
$genuine   = static function ( $changes = array() ) use ( $secret, $body, $id, $timestamp, $signature, $now ) {
	$given = array_merge(
		array(
			'secrets'   => array( $secret ),
			'id'        => $id,
			'timestamp' => $timestamp,
			'signature' => $signature,
			'body'      => $body,
			'now'       => $now,
		),
		$changes
	);
	return Momo_Kiosk_Signature::is_genuine( $given['secrets'], $given['id'], $given['timestamp'], $given['signature'], $given['body'], $given['now'] );
};
same( 'what the secret signed is genuine', true, $genuine() );
same( 'one of several signatures is enough, while a secret is rolled', true, $genuine( array( 'signature' => "v1,AAAA v1a,xyz $signature" ) ) );
same( 'one of several secrets is enough, live or test', true, $genuine( array( 'secrets' => array( 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', $secret ) ) ) );
same( 'five minutes late is on time', true, $genuine( array( 'now' => $now + 300 ) ) );
same( 'later is not', false, $genuine( array( 'now' => $now + 301 ) ) );
same( 'nor what comes from the future', false, $genuine( array( 'now' => $now - 301 ) ) );
same( 'another body is not genuine', false, $genuine( array( 'body' => $body . ' ' ) ) );
same( 'another id is not', false, $genuine( array( 'id' => 'msg_other' ) ) );
same( 'another time is not', false, $genuine( array( 'timestamp' => '1614265331' ) ) );
same( 'a time that is none is not', false, $genuine( array( 'timestamp' => '1614265330abc' ) ) );
same( 'no signature is not', false, $genuine( array( 'signature' => '' ) ) );
same( 'no id is not', false, $genuine( array( 'id' => '' ) ) );
same( 'without a secret nothing is', false, $genuine( array( 'secrets' => array() ) ) );
same( 'an empty secret signs nothing', false, $genuine( array( 'secrets' => array( 'whsec_', '' ) ) ) );
same(
	'a signature by the empty key is not accepted for a secret that is not base64',
	false,
	$genuine(
		array(
			'secrets'   => array( 'whsec_%%%' ),
			'signature' => 'v1,' . base64_encode( hash_hmac( 'sha256', "$id.$timestamp.$body", '', true ) ),
		)
	)
);
