<?php
// Run it: WEBHOOK_SECRET=whsec_… php -S localhost:4000 receiver.php
/** Returns the event, or null if Momo Kiosk did not sign it. $body is the request's raw bytes. */
function verified_event(string $secret, array $headers, string $body): ?array {
  $id = $headers['webhook-id'] ?? '';
  $timestamp = $headers['webhook-timestamp'] ?? '';
  if (abs(time() - (int) $timestamp) > 300) return null;
  $key = base64_decode(str_replace('whsec_', '', $secret));
  $signature = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
  foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
    if (hash_equals($signature, $given)) return json_decode($body, true);
  }
  return null;
}

$secret = (string) getenv('WEBHOOK_SECRET');
// Anyone can sign with an empty secret.
if (!preg_match('#^whsec_[\w+/]{32}#', $secret)) {
  http_response_code(500);
  exit('Set WEBHOOK_SECRET to the `secret` from PUT /api/v1/webhook.');
}
$headers = array_change_key_case(getallheaders());
$event = verified_event($secret, $headers, file_get_contents('php://input'));
http_response_code($event ? 204 : 401);
// Store $headers['webhook-id']: an event can arrive twice.
if ($event) error_log($event['type'] . ' ' . json_encode($event['data']));
