<?php
foreach ( array(
	'36'            => 3600,
	'36.5'          => 3650,
	'36.50'         => 3650,
	'36.5000'       => 3650,
	'0.01'          => 1,
	'100000.00'     => 10000000,
	'36.'           => 3600,
	'36.005'        => null,
	'36.0001'       => null,
	'-1'            => null,
	'1e3'           => null,
	' 36'           => null,
	'36,50'         => null,
	''              => null,
	"36\n"          => null,
) as $decimal => $pesewas ) {
	same( "parses the decimal $decimal exactly or rejects it", $pesewas, Momo_Kiosk_Money::pesewas( (string) $decimal ) );
}
same( 'rejects null', null, Momo_Kiosk_Money::pesewas( null ) );
same( 'parses a PHP float as written', 1910, Momo_Kiosk_Money::pesewas( 19.1 ) );

// Amounts up to a thousand cedis, and many above, survive the round trip through the API's numbers.
$wrong = array();
for ( $pesewas = 1; $pesewas <= 10000000; $pesewas += $pesewas < 100000 ? 1 : 997 ) {
	$decimal = Momo_Kiosk_Money::decimal( $pesewas );
	$number  = json_decode( json_encode( json_decode( $decimal ) ) );
	if ( Momo_Kiosk_Money::from_api( $number ) !== $pesewas || Momo_Kiosk_Money::pesewas( $decimal ) !== $pesewas ) {
		$wrong[] = $decimal;
	}
}
same( 'amounts survive a JSON round trip', array(), $wrong );
same( 'an invalid amount counts as 0', array( 0, 0, 0 ), array( Momo_Kiosk_Money::from_api( null ), Momo_Kiosk_Money::from_api( '36' ), Momo_Kiosk_Money::from_api( array() ) ) );
same( 'formats amounts with two decimals', 'GHS 36.05', Momo_Kiosk_Money::words( 3605 ) );
