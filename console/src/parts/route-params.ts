import { useParams } from '@tanstack/react-router'

/** A parameter of the open screen's path: `id` of `users/$id`. */
export function usePathParam(name = 'id'): string {
  const params = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>
  return params[name] ?? ''
}
