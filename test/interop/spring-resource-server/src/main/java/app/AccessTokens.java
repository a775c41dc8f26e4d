package app;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtAudienceValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

@Configuration
class AccessTokens {
  /** Replaces Spring's decoder, which accepts only the type JWT. */
  @Bean
  JwtDecoder jwtDecoder(@Value("${ISSUER}") String issuer, @Value("${API}") String api) {
    var decoder = NimbusJwtDecoder.withJwkSetUri(issuer + "/.well-known/jwks.json")
        .jwsAlgorithm(SignatureAlgorithm.ES256)
        .validateType(false)
        .build();
    decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(
        new JwtTypeValidator("at+jwt"),
        new JwtTimestampValidator(),
        new JwtIssuerValidator(issuer),
        new JwtAudienceValidator(api)));
    return decoder;
  }
}
