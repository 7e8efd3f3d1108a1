"""With the client of openapi-generator's `python`."""

import json, os
from openapi_client import ApiClient, ApiException, Configuration
from openapi_client.api import ChargesApi, TestModeApi, YourWebhookApi
from openapi_client.models import Error, InitializeRequest, InitializeRequestAmount, SimulateRequest, WebhookRequest

settings = Configuration(access_token=os.environ["KEY"])
client = ApiClient(settings)
charges = ChargesApi(client)
request = InitializeRequest(
    amount=InitializeRequestAmount(36.5), customer_name="Kofi Mensah", metadata={"order_id": "A-1"}
)
charge = charges.transaction_initialize(request, idempotency_key="openapi-generator-1").data
TestModeApi(client).test_simulate(charge.reference, SimulateRequest(outcome="paid"))
paid = charges.transaction_verify(charge.reference).data
webhook = YourWebhookApi(client).webhook_set(WebhookRequest(url=os.environ["HOOK"])).data
error = None
try:
    charges.transaction_verify("MK-0000000000")
except ApiException as failure:
    error = failure.data
print(
    json.dumps(
        {
            "server": settings.host,
            "reference": paid.reference,
            "status": paid.status,
            "payer": paid.payment.payer_name,
            "proof": paid.payment.proof,
            "disputed": paid.disputed,
            "hook": webhook.url,
            "error": error.code if isinstance(error, Error) else None,
        }
    )
)
