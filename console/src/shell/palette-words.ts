// The words by which people look for screens, beside the titles of these.
/** By the path of a screen: the words of its topic that its title does not have. */
const words: Readonly<Record<string, string>> = {
  '/tenants/new': 'add project environment',
  '/deployment': 'health jobs server backup',
  '': 'home dashboard',
  users: 'accounts members',
  'users/new': 'add account',
  'users/transfer': 'migrate csv bulk',
  'sign-ins': 'logins attempts failed wrong password',
  attributes: 'custom fields',
  waitlist: 'queue early access',
  puzzles: 'captcha turnstile hcaptcha bots',
  sessions: 'devices revoke',
  organizations: 'teams companies',
  roles: 'permissions rights rbac access',
  'sign-in-rules': 'settings mfa 2fa two-factor password passkey security policy login registration magic',
  explain: 'why locked unlock blocked login',
  'social-providers': 'google github apple facebook gitlab oauth',
  'custom-providers': 'oidc sso identity enterprise',
  applications: 'oauth oidc client app redirect uri id secret',
  resources: 'api audience scopes',
  brand: 'logo theme colour color design css dark mode',
  pages: 'texts languages translation terms privacy',
  domains: 'custom dns tls',
  media: 'images pictures logo',
  transformations: 'resize',
  messages: 'mail email sms sent log',
  'messages/new': 'mail email sms test',
  templates: 'mail email sms text html',
  channels: 'smtp mail email sms server resend postmark sendgrid mailgun ses twilio',
  'channels/new': 'smtp',
  environment: 'secret key env rotate signing jwks token',
  'test-mode': 'clock time inbox codes fixed',
  'api-keys': 'secret token credentials',
  webhooks: 'callbacks',
  events: 'audit log history changes who activity',
  administrators: 'team admins rights invite',
  'administrators/invite': 'add',
  usage: 'limits quota',
  billing: 'plan invoice payment',
  settings: 'slug archive delete',
}

const wordsIn = (text: string) => text.toLowerCase().split(/[\s,/-]+/)

/** Returns whether each word of a text begins a word of a title or of its topic. */
export function isNamed(text: string, title: string, topic = ''): boolean {
  const known = wordsIn(`${title} ${topic}`)
  // An empty word, after a space at the end, begins any other.
  return (
    title.toLowerCase().includes(text.toLowerCase()) ||
    wordsIn(text).every((word) => known.some((each) => each.startsWith(word)))
  )
}

export const findWords = (path: string): string => words[path] ?? ''
