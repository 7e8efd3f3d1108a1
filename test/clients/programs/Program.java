import com.google.gson.GsonBuilder;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ChargesApi;
import org.openapitools.client.api.TestModeApi;
import org.openapitools.client.api.YourWebhookApi;
import org.openapitools.client.auth.HttpBearerAuth;
import org.openapitools.client.model.Charge;
import org.openapitools.client.model.Error;
import org.openapitools.client.model.InitializeRequest;
import org.openapitools.client.model.InitializeRequestAmount;
import org.openapitools.client.model.SimulateRequest;
import org.openapitools.client.model.WebhookRequest;

/** With the client of openapi-generator's `java`. */
public class Program {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    // By its name: the other is `sms`.
    ((HttpBearerAuth) client.getAuthentication("live")).setBearerToken(System.getenv("KEY"));
    ChargesApi charges = new ChargesApi(client);
    InitializeRequest request = new InitializeRequest()
        .amount(new InitializeRequestAmount(new BigDecimal("36.5")))
        .customerName("Kofi Mensah")
        .putMetadataItem("order_id", "A-1");
    String reference = charges.transactionInitialize(request, "java-1").getData().getReference();
    SimulateRequest outcome = new SimulateRequest().outcome(SimulateRequest.OutcomeEnum.PAID);
    new TestModeApi(client).testSimulate(reference, outcome, null);
    Charge paid = charges.transactionVerify(reference).getData();
    WebhookRequest webhook = new WebhookRequest().url(java.net.URI.create(System.getenv("HOOK")));
    String hook = new YourWebhookApi(client).webhookSet(webhook).getData().getUrl().toString();
    String error = null;
    try {
      charges.transactionVerify("MK-0000000000");
    } catch (ApiException failure) {
      error = Error.fromJson(failure.getResponseBody()).getCode().getValue();
    }
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("server", client.getBasePath());
    seen.put("reference", paid.getReference());
    seen.put("status", paid.getStatus().getValue());
    seen.put("payer", paid.getPayment().getPayerName());
    seen.put("proof", paid.getPayment().getProof());
    seen.put("disputed", paid.getDisputed());
    seen.put("hook", hook);
    seen.put("error", error);
    System.out.println(new GsonBuilder().serializeNulls().create().toJson(seen));
  }
}
