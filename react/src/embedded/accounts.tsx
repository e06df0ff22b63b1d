// The part of the user's menu that switches between the accounts of this browser. Nothing where the tenant allows only one.
import { isBailiwickError } from '@bailiwick/sdk/frontend'
import { useAccounts } from '../accounts.ts'
import { useFormLook } from './form-look.ts'

export interface AccountsProps {
  /** The class of an entry. */
  readonly item: string
  readonly onFailed: (hasFailed: true) => void
}

export function Accounts({ item, onFailed }: AccountsProps) {
  const { texts } = useFormLook(undefined)
  const { accounts, add, switchTo } = useAccounts()
  if (accounts.length === 0) return null
  // The rules for redirects compare whole addresses, which that of a page with a query may not be.
  const addHere = () => add(location.origin + location.pathname)
  const choose = (id: string) => {
    switchTo(id).catch((error: unknown) => {
      if (isBailiwickError(error, 'second_factor_required')) addHere()
      else onFailed(true)
    })
  }
  return (
    <>
      {accounts
        .filter(({ current }) => !current)
        .map(({ id, user: { identifier, name } }) => (
          <button key={id} type="button" className={item} onClick={() => choose(id)}>
            {name === identifier ? name : `${name} (${identifier})`}
          </button>
        ))}
      <button type="button" className={item} onClick={addHere}>
        {texts.addAccount}
      </button>
    </>
  )
}
