import { classNames } from '#web/ui/class-names.ts'

type Size = 'card' | 'page'

const kinds: Record<Size, string> = {
  card: 'text-[0.9375rem] leading-snug',
  page: 'mb-0.5 text-[0.9375rem] md:mb-1.5 md:text-base',
}
const titles: Record<Size, string> = {
  card: 'text-[1.4375rem] leading-[1.18]',
  page: 'text-[1.75rem] leading-[1.08] md:text-headline md:leading-(--text-headline--line-height)',
}

const quote = <span className="text-[0px]">"</span>

/** Splits `Rudy Hat "After Hours"` into kind and title. The quotes are hidden, but still read aloud. */
export function ProductName({ name, size = 'card' }: { name: string; size?: Size }) {
  const [, kind, title] = /^(.+?)\s+"([^"]+)"$/.exec(name) ?? []
  if (!kind || !title) return <span className={classNames('block', titles[size])}>{name}</span>
  return (
    <>
      <span className={classNames('block font-text font-medium tracking-normal text-ink-soft', kinds[size])}>
        {kind}{' '}
      </span>
      <span className={classNames('block', titles[size])}>
        {quote}
        {title}
        {quote}
      </span>
    </>
  )
}
