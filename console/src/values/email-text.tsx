/** An e-mail address that is broken after its at sign, rather than within a word, where it does not fit on a line. */
export function EmailText({ of: address }: { readonly of: string }) {
  const at = address.lastIndexOf('@') + 1
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  )
}
