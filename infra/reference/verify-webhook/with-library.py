import os
from standardwebhooks import Webhook

# `body`: the bytes of the request, as received.
webhook = Webhook(os.environ["WEBHOOK_SECRET"])
event = webhook.verify(body, headers)  # Or raises.
print(event["type"], event["data"])
