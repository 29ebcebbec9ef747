/** `Rudy Hat "After Hours"` in two voices: what it is, and what it is called. The words stay as they are. */
export function ProductName({ name, size = 'card' }: { name: string; size?: 'card' | 'page' }) {
  const [, kind, title] = /^(.+?)\s+("[^"]+")$/.exec(name) ?? []
  if (!kind || !title)
    return <span className={size === 'page' ? 'text-headline' : 'text-[1.375rem] leading-tight'}>{name}</span>
  return (
    <>
      <span
        className={
          size === 'page'
            ? 'block font-text text-base font-medium tracking-normal text-ink-soft'
            : 'block font-text text-[0.9375rem] leading-snug font-medium tracking-normal text-ink-soft'
        }
      >
        {kind}{' '}
      </span>
      <span className={size === 'page' ? 'mt-1.5 block text-headline' : 'block text-[1.4375rem] leading-[1.18]'}>
        {title}
      </span>
    </>
  )
}
