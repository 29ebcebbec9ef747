import { nameParts } from '#domain/catalog/product-name.ts'

type Size = 'card' | 'page' | 'line'

const kinds: Record<Size, string> = {
  card: 'kind',
  page: 'kind mb-0.5 text-[0.9375rem] md:mb-1.5 md:text-base',
  line: 'kind text-[0.8125rem]',
}
const titles: Record<Size, string> = {
  card: 'title',
  page: 'block text-[min(7.2vw,1.75rem)] leading-[1.08] md:text-headline md:leading-(--text-headline--line-height)',
  line: 'title text-[1.0625rem]',
}

const quote = <span className="text-[0px]">"</span>

/** Kind and title, each in its own line. The quotes are hidden, but still read aloud. */
export function ProductName({ name, size = 'card' }: { name: string; size?: Size }) {
  const { kind, title } = nameParts(name)
  if (!kind) return <span className={titles[size]}>{title}</span>
  return (
    <>
      <span className={kinds[size]}>{`${kind} `}</span>
      <span className={titles[size]}>
        {quote}
        {title}
        {quote}
      </span>
    </>
  )
}
