// The social providers of the service: the one list of their names, marks, and what each calls the parts of a client. A provider whose
// client needs more than an id and a secret lists that as its settings, from which the operator's variables and the console's fields follow.

/** A setting of a client beside its id and secret: a property of `config`, and part of a variable's name (`teamId`, `TEAM_ID`). */
interface ClientSetting {
  readonly key: 'teamId' | 'keyId'
  readonly label: string
  readonly hint: string
  /** What the operator's variable holds. */
  readonly meaning: string
}

interface SocialProviderEntry {
  readonly name: string
  readonly clientId: { readonly label: string; readonly hint: string }
  readonly secretLabel: string
  /** Whether the secret is a private key in PEM, which signs the secrets that are sent. */
  readonly hasPrivateKey?: true
  readonly settings?: readonly ClientSetting[]
  /** Whether the provider can be one that somebody else hosts, at a `baseUrl` of its own. */
  readonly isSelfHosted?: true
}

export const socialProviders = {
  google: {
    name: 'Google',
    clientId: {
      label: 'Client ID',
      hint: 'From the Google Cloud console, under Clients: one of the type “Web application”.',
    },
    secretLabel: 'Client secret',
  },
  github: {
    name: 'GitHub',
    clientId: { label: 'Client ID', hint: 'From GitHub, under Settings, Developer settings, OAuth apps.' },
    secretLabel: 'Client secret',
  },
  gitlab: {
    name: 'GitLab',
    clientId: {
      label: 'Application ID',
      hint: 'From GitLab, under Applications: a confidential one with the scopes openid, email and profile.',
    },
    secretLabel: 'Secret',
    isSelfHosted: true,
  },
  apple: {
    name: 'Apple',
    clientId: { label: 'Services ID', hint: 'From the Apple developer account, under Identifiers.' },
    secretLabel: 'Private key',
    hasPrivateKey: true,
    settings: [
      {
        key: 'teamId',
        label: 'Team ID',
        hint: 'Ten letters and digits, from the Apple developer account, under Membership.',
        meaning: 'The team ID of the client at Apple.',
      },
      {
        key: 'keyId',
        label: 'Key ID',
        hint: 'Ten letters and digits, of the private key, from the Apple developer account, under Keys.',
        meaning: 'The key ID of the private key from Apple.',
      },
    ],
  },
  facebook: {
    name: 'Facebook',
    clientId: { label: 'App ID', hint: 'From Meta for Developers, under App settings, Basic.' },
    secretLabel: 'App secret',
  },
} as const satisfies Readonly<Record<string, SocialProviderEntry>>

export type ProviderKey = keyof typeof socialProviders
export const providerKeys = Object.keys(socialProviders) as readonly ProviderKey[]

/** Returns what is known about a provider, without the narrow types of the one entry. */
export const socialProvider = (key: ProviderKey): SocialProviderEntry => socialProviders[key]

/**
 * The logos in one colour, as paths of 24 by 24, by which people find a provider faster than by its name. They come from Simple Icons 16.37
 * (CC0 1.0, https://simpleicons.org), of whose three thousand icons five are needed.
 */
export const providerMarks: Readonly<Record<ProviderKey, string>> = {
  google:
    'M12.48 10.92v3.28h7.84c-.24 1.84-.853 3.187-1.787 4.133-1.147 1.147-2.933 2.4-6.053 2.4-4.827 0-8.6-3.893-8.6-8.72s3.773-8.72 8.6-8.72c2.6 0 4.507 1.027 5.907 2.347l2.307-2.307C18.747 1.44 16.133 0 12.48 0 5.867 0 .307 5.387.307 12s5.56 12 12.173 12c3.573 0 6.267-1.173 8.373-3.36 2.16-2.16 2.84-5.213 2.84-7.667 0-.76-.053-1.467-.173-2.053H12.48z',
  github:
    'M12 .297c-6.63 0-12 5.373-12 12 0 5.303 3.438 9.8 8.205 11.385.6.113.82-.258.82-.577 0-.285-.01-1.04-.015-2.04-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729 1.205.084 1.838 1.236 1.838 1.236 1.07 1.835 2.809 1.305 3.495.998.108-.776.417-1.305.76-1.605-2.665-.3-5.466-1.332-5.466-5.93 0-1.31.465-2.38 1.235-3.22-.135-.303-.54-1.523.105-3.176 0 0 1.005-.322 3.3 1.23.96-.267 1.98-.399 3-.405 1.02.006 2.04.138 3 .405 2.28-1.552 3.285-1.23 3.285-1.23.645 1.653.24 2.873.12 3.176.765.84 1.23 1.91 1.23 3.22 0 4.61-2.805 5.625-5.475 5.92.42.36.81 1.096.81 2.22 0 1.606-.015 2.896-.015 3.286 0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12',
  gitlab:
    'm23.6004 9.5927-.0337-.0862L20.3.9814a.851.851 0 0 0-.3362-.405.8748.8748 0 0 0-.9997.0539.8748.8748 0 0 0-.29.4399l-2.2055 6.748H7.5375l-2.2057-6.748a.8573.8573 0 0 0-.29-.4412.8748.8748 0 0 0-.9997-.0537.8585.8585 0 0 0-.3362.4049L.4332 9.5015l-.0325.0862a6.0657 6.0657 0 0 0 2.0119 7.0105l.0113.0087.03.0213 4.976 3.7264 2.462 1.8633 1.4995 1.1321a1.0085 1.0085 0 0 0 1.2197 0l1.4995-1.1321 2.4619-1.8633 5.006-3.7489.0125-.01a6.0682 6.0682 0 0 0 2.0094-7.003z',
  apple:
    'M12.152 6.896c-.948 0-2.415-1.078-3.96-1.04-2.04.027-3.91 1.183-4.961 3.014-2.117 3.675-.546 9.103 1.519 12.09 1.013 1.454 2.208 3.09 3.792 3.039 1.52-.065 2.09-.987 3.935-.987 1.831 0 2.35.987 3.96.948 1.637-.026 2.676-1.48 3.676-2.948 1.156-1.688 1.636-3.325 1.662-3.415-.039-.013-3.182-1.221-3.22-4.857-.026-3.04 2.48-4.494 2.597-4.559-1.429-2.09-3.623-2.324-4.39-2.376-2-.156-3.675 1.09-4.61 1.09zM15.53 3.83c.843-1.012 1.4-2.427 1.245-3.83-1.207.052-2.662.805-3.532 1.818-.78.896-1.454 2.338-1.273 3.714 1.338.104 2.715-.688 3.559-1.701',
  facebook:
    'M9.101 23.691v-7.98H6.627v-3.667h2.474v-1.58c0-4.085 1.848-5.978 5.858-5.978.401 0 .955.042 1.468.103a8.68 8.68 0 0 1 1.141.195v3.325a8.623 8.623 0 0 0-.653-.036 26.805 26.805 0 0 0-.733-.009c-.707 0-1.259.096-1.675.309a1.686 1.686 0 0 0-.679.622c-.258.42-.374.995-.374 1.752v1.297h3.919l-.386 2.103-.287 1.564h-3.246v8.245C19.396 23.238 24 18.179 24 12.044c0-6.627-5.373-12-12-12s-12 5.373-12 12c0 5.628 3.874 10.35 9.101 11.647Z',
}
