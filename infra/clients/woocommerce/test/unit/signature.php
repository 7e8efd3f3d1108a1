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
same( 'a valid signature is accepted', true, $genuine() );
same( 'one of several signatures is enough during a secret rotation', true, $genuine( array( 'signature' => "v1,AAAA v1a,xyz $signature" ) ) );
same( 'one of several secrets is enough', true, $genuine( array( 'secrets' => array( 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', $secret ) ) ) );
same( 'a signature is valid for five minutes', true, $genuine( array( 'now' => $now + 300 ) ) );
same( 'a signature is invalid after five minutes', false, $genuine( array( 'now' => $now + 301 ) ) );
same( 'a signature from the future is invalid', false, $genuine( array( 'now' => $now - 301 ) ) );
same( 'a different body is rejected', false, $genuine( array( 'body' => $body . ' ' ) ) );
same( 'a different id is rejected', false, $genuine( array( 'id' => 'msg_other' ) ) );
same( 'a different time is rejected', false, $genuine( array( 'timestamp' => '1614265331' ) ) );
same( 'an invalid time is rejected', false, $genuine( array( 'timestamp' => '1614265330abc' ) ) );
same( 'a missing signature is rejected', false, $genuine( array( 'signature' => '' ) ) );
same( 'a missing id is rejected', false, $genuine( array( 'id' => '' ) ) );
same( 'everything is rejected without a secret', false, $genuine( array( 'secrets' => array() ) ) );
same( 'everything is rejected with an empty secret', false, $genuine( array( 'secrets' => array( 'whsec_', '' ) ) ) );
same(
	'a signature by the empty key is rejected for an invalid secret',
	false,
	$genuine(
		array(
			'secrets'   => array( 'whsec_%%%' ),
			'signature' => 'v1,' . base64_encode( hash_hmac( 'sha256', "$id.$timestamp.$body", '', true ) ),
		)
	)
);
