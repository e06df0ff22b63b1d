/** The product's mark and name; where there is little room, the mark alone if requested. */
export function Mark({ isShort = false }: { readonly isShort?: boolean }) {
  return (
    <span className="mark">
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="mark-ground" />
        <path
          className="mark-figure"
          d="M16 7a5 5 0 0 0-5 5v3h-1v9h12v-9h-1v-3a5 5 0 0 0-5-5Zm0 2.5a2.5 2.5 0 0 1 2.5 2.5v3h-5v-3A2.5 2.5 0 0 1 16 9.5Z"
        />
      </svg>
      <span className={isShort ? 'wide-only' : undefined}>Bailiwick</span>
    </span>
  )
}
