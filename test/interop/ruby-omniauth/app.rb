require 'json'
require 'sinatra'
require 'omniauth'
require 'omniauth_openid_connect'

set :port, ENV['PORT']
enable :sessions
set :session_secret, ENV['SESSION_SECRET']

use OmniAuth::Builder do
  provider :openid_connect,
           name: 'vestibule',
           issuer: ENV['ISSUER'],
           discovery: true,
           scope: %i[openid profile],
           pkce: true,
           uid_field: 'sub',
           client_options: {
             identifier: ENV['CLIENT_ID'],
             secret: ENV['CLIENT_SECRET'],
             redirect_uri: "#{ENV['APP_URL']}/auth/vestibule/callback"
           }
end

get '/' do
  return session[:user].to_json if session[:user]

  token = Rack::Protection::AuthenticityToken.token(env['rack.session'])
  "<form method=\"post\" action=\"/auth/vestibule\">
     <input type=\"hidden\" name=\"authenticity_token\" value=\"#{token}\"><button>Sign in</button>
   </form>"
end

get '/auth/vestibule/callback' do
  user = env['omniauth.auth']
  session[:user] = { sub: user.uid, name: user.info.name }
  redirect '/'
end
