/** Breaks after its @, and elsewhere only where that is not enough. */
export function EmailAddress({ email }: { email: string }) {
  const domainAt = email.lastIndexOf('@') + 1
  return (
    <span className="wrap-anywhere">
      {email.slice(0, domainAt)}
      <wbr />
      {email.slice(domainAt)}
    </span>
  )
}
