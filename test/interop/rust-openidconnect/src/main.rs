use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreProviderMetadata, CoreUserInfoClaims,
};
use openidconnect::{reqwest, url::Url, *};
use std::{collections::HashMap, env, error::Error};
use tiny_http::{Header, Request, Response, Server};

fn main() -> Result<(), Box<dyn Error>> {
    let app_url = env::var("APP_URL")?;
    let http = reqwest::blocking::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()?;
    let metadata = CoreProviderMetadata::discover(&IssuerUrl::new(env::var("ISSUER")?)?, &http)?;
    let client = CoreClient::from_provider_metadata(
        metadata,
        ClientId::new(env::var("CLIENT_ID")?),
        Some(ClientSecret::new(env::var("CLIENT_SECRET")?)),
    )
    .set_redirect_uri(RedirectUrl::new(format!("{app_url}/callback"))?);

    let start = |request: Request| -> Result<(), Box<dyn Error>> {
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let (url, state, nonce) = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                CsrfToken::new_random,
                Nonce::new_random,
            )
            .add_scope(Scope::new("profile".into()))
            .set_pkce_challenge(challenge)
            .url();
        let mut response = Response::empty(302).with_header(header("Location", url.as_str()));
        for (name, value) in [
            ("state", state.secret()),
            ("nonce", nonce.secret()),
            ("pkce", verifier.secret()),
        ] {
            let cookie = format!("{name}={value}; Max-Age=600; HttpOnly; SameSite=Lax");
            response.add_header(header("Set-Cookie", &cookie));
        }
        Ok(request.respond(response)?)
    };

    let finish = |request: Request, url: Url| -> Result<(), Box<dyn Error>> {
        let query: HashMap<String, String> = url.query_pairs().into_owned().collect();
        let cookies = cookies(&request);
        let cookie = |name: &str| {
            cookies
                .get(name)
                .cloned()
                .ok_or("this browser did not start a sign-in")
        };
        if query.get("state") != Some(&cookie("state")?) {
            return Err("this browser started another sign-in".into());
        }
        let code = AuthorizationCode::new(query.get("code").ok_or("cancelled")?.clone());
        let tokens = client
            .exchange_code(code)?
            .set_pkce_verifier(PkceCodeVerifier::new(cookie("pkce")?))
            .request(&http)?;
        let id_token = tokens.extra_fields().id_token().ok_or("no ID token")?;
        let claims = id_token.claims(&client.id_token_verifier(), &Nonce::new(cookie("nonce")?))?;
        let profile: CoreUserInfoClaims = client
            .user_info(
                tokens.access_token().clone(),
                Some(claims.subject().clone()),
            )?
            .request(&http)?;
        // A real app starts its own session here.
        Ok(request.respond(Response::from_string(serde_json::to_string(&profile)?))?)
    };

    for request in Server::http(format!("127.0.0.1:{}", env::var("PORT")?))
        .map_err(|e| e.to_string())?
        .incoming_requests()
    {
        let url = Url::parse(&app_url)?.join(request.url())?;
        let result = match url.path() {
            "/callback" => finish(request, url),
            _ => start(request),
        };
        if let Err(error) = result {
            eprintln!("{error}");
        }
    }
    Ok(())
}

fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("a valid header")
}

fn cookies(request: &Request) -> HashMap<String, String> {
    let header = request
        .headers()
        .iter()
        .find(|header| header.field.equiv("Cookie"));
    header
        .map_or("", |header| header.value.as_str())
        .split("; ")
        .filter_map(|cookie| cookie.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}
