import FortyTwo from '@auth/core/providers/42-school'
import Apple from '@auth/core/providers/apple'
import Asgardeo from '@auth/core/providers/asgardeo'
import Atlassian from '@auth/core/providers/atlassian'
import Auth0 from '@auth/core/providers/auth0'
import Authentik from '@auth/core/providers/authentik'
import AzureAD from '@auth/core/providers/azure-ad'
import AzureADB2C from '@auth/core/providers/azure-ad-b2c'
import AzureDevOps from '@auth/core/providers/azure-devops'
import BankIDNorway from '@auth/core/providers/bankid-no'
import BattleNet from '@auth/core/providers/battlenet'
import BeyondIdentity from '@auth/core/providers/beyondidentity'
import Bitbucket from '@auth/core/providers/bitbucket'
import Box from '@auth/core/providers/box'
import SAMLJackson from '@auth/core/providers/boxyhq-saml'
import Bungie from '@auth/core/providers/bungie'
import ClickUp from '@auth/core/providers/click-up'
import Cognito from '@auth/core/providers/cognito'
import Coinbase from '@auth/core/providers/coinbase'
import Concept2 from '@auth/core/providers/concept2'
import Descope from '@auth/core/providers/descope'
import Discord from '@auth/core/providers/discord'
import Dribbble from '@auth/core/providers/dribbble'
import Dropbox from '@auth/core/providers/dropbox'
import DuendeIdentityServer6 from '@auth/core/providers/duende-identity-server6'
import Eventbrite from '@auth/core/providers/eventbrite'
import EVEOnline from '@auth/core/providers/eveonline'
import Facebook from '@auth/core/providers/facebook'
import FACEIT from '@auth/core/providers/faceit'
import Figma from '@auth/core/providers/figma'
import Foursquare from '@auth/core/providers/foursquare'
import Freshbooks from '@auth/core/providers/freshbooks'
import Frontegg from '@auth/core/providers/frontegg'
import FusionAuth from '@auth/core/providers/fusionauth'
import GitHub from '@auth/core/providers/github'
import GitLab from '@auth/core/providers/gitlab'
import Google from '@auth/core/providers/google'
import HubSpot from '@auth/core/providers/hubspot'
import Huggingface from '@auth/core/providers/huggingface'
import IdentityServer4 from '@auth/core/providers/identity-server4'
import Instagram from '@auth/core/providers/instagram'
import Kakao from '@auth/core/providers/kakao'
import Keycloak from '@auth/core/providers/keycloak'
import Kinde from '@auth/core/providers/kinde'
import LINE from '@auth/core/providers/line'
import LinkedIn from '@auth/core/providers/linkedin'
import Logto from '@auth/core/providers/logto'
import Mailchimp from '@auth/core/providers/mailchimp'
import Mailru from '@auth/core/providers/mailru'
import Mastodon from '@auth/core/providers/mastodon'
import Mattermost from '@auth/core/providers/mattermost'
import Medium from '@auth/core/providers/medium'
import MicrosoftEntraID from '@auth/core/providers/microsoft-entra-id'
import Naver from '@auth/core/providers/naver'
import Netlify from '@auth/core/providers/netlify'
import NetSuite from '@auth/core/providers/netsuite'
import Nextcloud from '@auth/core/providers/nextcloud'
import Notion from '@auth/core/providers/notion'
import Okta from '@auth/core/providers/okta'
import OneLogin from '@auth/core/providers/onelogin'
import OryHydra from '@auth/core/providers/ory-hydra'
import Osso from '@auth/core/providers/osso'
import Osu from '@auth/core/providers/osu'
import Passage from '@auth/core/providers/passage'
import Patreon from '@auth/core/providers/patreon'
import PingId from '@auth/core/providers/ping-id'
import Pinterest from '@auth/core/providers/pinterest'
import Pipedrive from '@auth/core/providers/pipedrive'
import Reddit from '@auth/core/providers/reddit'
import Roblox from '@auth/core/providers/roblox'
import Salesforce from '@auth/core/providers/salesforce'
import SimpleLogin from '@auth/core/providers/simplelogin'
import Slack from '@auth/core/providers/slack'
import Spotify from '@auth/core/providers/spotify'
import Strava from '@auth/core/providers/strava'
import Threads from '@auth/core/providers/threads'
import TikTok from '@auth/core/providers/tiktok'
import Todoist from '@auth/core/providers/todoist'
import Trakt from '@auth/core/providers/trakt'
import Twitch from '@auth/core/providers/twitch'
import Twitter from '@auth/core/providers/twitter'
import UnitedEffects from '@auth/core/providers/united-effects'
import Vipps from '@auth/core/providers/vipps'
import VK from '@auth/core/providers/vk'
import Webex from '@auth/core/providers/webex'
import WeChat from '@auth/core/providers/wechat'
import Wikimedia from '@auth/core/providers/wikimedia'
import WordPress from '@auth/core/providers/wordpress'
import WorkOS from '@auth/core/providers/workos'
import Yandex from '@auth/core/providers/yandex'
import ZITADEL from '@auth/core/providers/zitadel'
import Zoho from '@auth/core/providers/zoho'
import Zoom from '@auth/core/providers/zoom'
import type { Provider } from '../../src/provider-interface/types.ts'

/*
 * Compiled by `npm run check` only: every provider of Auth.js can be listed, with and without
 * options.
 */

const options = { clientId: 'id', clientSecret: 'secret', issuer: 'https://issuer.example/' }

export const functions: Provider[] = [
  FortyTwo,
  Apple,
  Asgardeo,
  Atlassian,
  Auth0,
  Authentik,
  AzureADB2C,
  AzureAD,
  AzureDevOps,
  BankIDNorway,
  BattleNet,
  BeyondIdentity,
  Bitbucket,
  Box,
  SAMLJackson,
  Bungie,
  ClickUp,
  Cognito,
  Coinbase,
  Concept2,
  Descope,
  Discord,
  Dribbble,
  Dropbox,
  DuendeIdentityServer6,
  Eventbrite,
  EVEOnline,
  Facebook,
  FACEIT,
  Figma,
  Foursquare,
  Freshbooks,
  Frontegg,
  FusionAuth,
  GitHub,
  GitLab,
  Google,
  HubSpot,
  Huggingface,
  IdentityServer4,
  Instagram,
  Kakao,
  Keycloak,
  Kinde,
  LINE,
  LinkedIn,
  Logto,
  Mailchimp,
  Mailru,
  Mastodon,
  Mattermost,
  Medium,
  MicrosoftEntraID,
  Naver,
  Netlify,
  NetSuite,
  Nextcloud,
  Notion,
  Okta,
  OneLogin,
  OryHydra,
  Osso,
  Osu,
  Passage,
  Patreon,
  PingId,
  Pinterest,
  Pipedrive,
  Reddit,
  Roblox,
  Salesforce,
  SimpleLogin,
  Slack,
  Spotify,
  Strava,
  Threads,
  TikTok,
  Todoist,
  Trakt,
  Twitch,
  Twitter,
  UnitedEffects,
  Vipps,
  VK,
  Webex,
  WeChat,
  Wikimedia,
  WordPress,
  WorkOS,
  Yandex,
  ZITADEL,
  Zoho,
  Zoom,
]

export const configurations: Provider[] = [
  GitHub({ ...options, enterprise: { baseUrl: 'https://github.example' } }),
  Google(options),
  MicrosoftEntraID(options),
  TikTok(options),
]
