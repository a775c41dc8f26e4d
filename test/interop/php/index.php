<?php

require 'vendor/autoload.php';

use Jumbojett\OpenIDConnectClient;

$client = new OpenIDConnectClient(getenv('ISSUER'), getenv('CLIENT_ID'), getenv('CLIENT_SECRET'));
$client->setRedirectURL(getenv('APP_URL') . '/');
$client->addScope(['profile']); // the library adds openid
$client->setCodeChallengeMethod('S256');

session_start();
if (!isset($_SESSION['user'])) {
    $client->authenticate(); // redirects to the login service, and continues when the browser returns
    session_regenerate_id(true);
    $_SESSION['user'] = $client->getVerifiedClaims();
}
header('Content-Type: application/json');
echo json_encode($_SESSION['user']);
