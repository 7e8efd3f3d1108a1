import os
from standardwebhooks import Webhook

# Raises unless Momo Kiosk signed it. `body` is its bytes, as received.
event = Webhook(os.environ["WEBHOOK_SECRET"]).verify(body, headers)
print(event["type"], event["data"])
