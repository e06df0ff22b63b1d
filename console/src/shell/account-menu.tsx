import { useId, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { DocsLink } from '../session/docs-link.tsx'
import { useSession } from '../session/session.tsx'
import { accountAddress, signOutAddress } from '../session/sign-in-address.ts'
import { chooseLanguage, language, languages } from '../texts/translate.ts'
import { type Theme, chooseTheme, chosenTheme, themes } from './theme.ts'

const LanguageChoice = () => (
  <fieldset className="segments" aria-label="Language">
    {languages.map(({ value, label }) => (
      <button
        key={value}
        type="button"
        lang={value}
        aria-pressed={value === language}
        onClick={() => chooseLanguage(value)}
      >
        {label}
      </button>
    ))}
  </fieldset>
)

/** What ends the session, or leads to the user's own account. */
function SessionLinks() {
  const session = useSession()
  if (session.kind !== 'operator')
    return (
      <ul>
        <li>
          <a href={accountAddress()}>Your account</a>
        </li>
        <li>
          <a href={signOutAddress()}>Sign out</a>
        </li>
      </ul>
    )
  return session.by === 'key' ? (
    <ul>
      <li>
        <a href="/console">Leave, and forget the key</a>
      </li>
    </ul>
  ) : null
}

/** The signed-in user, the choice of the theme, and the way to sign out. */
export function AccountMenu({ tenantId }: { readonly tenantId: string | undefined }) {
  const session = useSession()
  const id = useId()
  const [theme, setTheme] = useState<Theme>(chosenTheme)
  const name =
    session.kind === 'operator' ? 'Operator' : (session.user.name ?? session.user.emailAddresses[0]?.email ?? 'You')
  return (
    <>
      <button type="button" className="button icon-only" aria-label={`Account: ${name}`} popoverTarget={id}>
        <Icon name="user" />
      </button>
      <div id={id} popover="auto" className="menu account-menu">
        <p className="menu-head">{name}</p>
        <fieldset className="segments" aria-label="Colours">
          {themes.map((each) => (
            <button
              key={each.value}
              type="button"
              aria-pressed={theme === each.value}
              onClick={() => {
                chooseTheme(each.value)
                setTheme(each.value)
              }}
            >
              {each.label}
            </button>
          ))}
        </fieldset>
        <LanguageChoice />
        <ul>
          <li>
            <DocsLink path="" tenantId={tenantId}>
              Documentation
            </DocsLink>
          </li>
        </ul>
        <SessionLinks />
        <p className="quiet">Bailiwick {session.deployment.version}</p>
      </div>
    </>
  )
}
