package app;

import io.quarkus.oidc.IdToken;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Map;
import org.eclipse.microprofile.jwt.JsonWebToken;

@Path("/")
public class Home {
  @IdToken JsonWebToken user;

  @GET
  public Map<String, String> home() {
    return Map.of("sub", user.getSubject(), "name", user.getClaim("name"));
  }
}
