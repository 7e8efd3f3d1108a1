<?php
// With the client of openapi-generator's `php`. CLIENT is its folder, GUZZLE the autoloader of the library that it needs.
require getenv('GUZZLE');
spl_autoload_register(function (string $class) {
  require_once getenv('CLIENT') . '/lib/' . strtr(substr($class, strlen('OpenAPI\Client\\')), '\\', '/') . '.php';
});

use OpenAPI\Client\Api\{ChargesApi, TestModeApi, YourWebhookApi};
use OpenAPI\Client\{ApiException, Configuration};
use OpenAPI\Client\Model\{Error, InitializeRequest, SimulateRequest, WebhookRequest};

$settings = Configuration::getDefaultConfiguration()->setAccessToken(getenv('KEY'));
$charges = new ChargesApi();
$request = new InitializeRequest(['amount' => 36.5, 'customer_name' => 'Kofi Mensah', 'metadata' => ['order_id' => 'A-1']]);
$charge = $charges->transactionInitialize($request, 'php-1')->getData();
(new TestModeApi())->testSimulate($charge->getReference(), new SimulateRequest(['outcome' => 'paid']));
$paid = $charges->transactionVerify($charge->getReference())->getData();
$webhook = (new YourWebhookApi())->webhookSet(new WebhookRequest(['url' => getenv('HOOK')]))->getData();
try {
  $charges->transactionVerify('MK-0000000000');
} catch (ApiException $failure) {
  $error = $failure->getResponseObject();
}
echo json_encode([
  'server' => $settings->getHost(),
  'reference' => $paid->getReference(),
  'status' => $paid->getStatus(),
  'payer' => $paid->getPayment()->getPayerName(),
  'proof' => $paid->getPayment()->getProof(),
  'disputed' => $paid->getDisputed(),
  'hook' => $webhook->getUrl(),
  'error' => $error instanceof Error ? $error->getCode() : null,
]);
