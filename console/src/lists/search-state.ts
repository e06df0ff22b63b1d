// What a screen shows of its records, kept in the address: a reload, the back button and a shared link show the same.
import { useLocation, useNavigate } from '@tanstack/react-router'

type Values = Readonly<Record<string, string | undefined>>

/** The parameters of the address, and a function that changes some of them; an empty one is taken out. */
export function useSearchState(): readonly [Values, (changes: Values) => void] {
  const { searchStr, pathname } = useLocation()
  const navigate = useNavigate()
  const values: Values = Object.fromEntries(new URLSearchParams(searchStr))
  const change = (changes: Values) => {
    const next = Object.entries({ ...values, ...changes }).filter(([, value]) => value !== undefined && value !== '')
    void navigate({ to: pathname, search: Object.fromEntries(next), replace: 'query' in changes })
  }
  return [values, change]
}
