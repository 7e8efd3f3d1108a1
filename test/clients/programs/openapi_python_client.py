"""With the client of openapi-python-client, which leaves the server's address to whoever uses it."""

import json, os
from momo_kiosk_client import AuthenticatedClient
from momo_kiosk_client.api.charges import transaction_initialize, transaction_verify
from momo_kiosk_client.api.test_mode import test_simulate
from momo_kiosk_client.api.your_webhook import webhook_set
from momo_kiosk_client.models import (
    Error,
    InitializeRequest,
    InitializeRequestMetadata,
    SimulateRequest,
    SimulateRequestOutcome,
    WebhookRequest,
)

client = AuthenticatedClient(base_url=os.environ["SERVER"], token=os.environ["KEY"])
metadata = InitializeRequestMetadata.from_dict({"order_id": "A-1"})
request = InitializeRequest(amount=36.5, customer_name="Kofi Mensah", metadata=metadata)
charge = transaction_initialize.sync(client=client, body=request, idempotency_key="openapi-python-client-1").data
test_simulate.sync(charge.reference, client=client, body=SimulateRequest(outcome=SimulateRequestOutcome.PAID))
paid = transaction_verify.sync(charge.reference, client=client).data
webhook = webhook_set.sync(client=client, body=WebhookRequest(url=os.environ["HOOK"])).data
error = transaction_verify.sync("MK-0000000000", client=client)
print(
    json.dumps(
        {
            "server": os.environ["SERVER"],
            "reference": paid.reference,
            "status": paid.status.value,
            "payer": paid.payment.payer_name,
            "proof": paid.payment.proof,
            "disputed": paid.disputed,
            "hook": webhook.url,
            "error": error.code.value if isinstance(error, Error) else None,
        }
    )
)
