import { createContext, use, type ComponentProps, type MouseEvent } from 'react'
import { useLocation } from 'react-router'
import { spokenAddress } from '#shared/language.ts'

/** Called on every click on a link; does nothing on the server. */
export type LinkHandler = (event: MouseEvent<HTMLAnchorElement>) => void

export const LinkHandlerContext = createContext<LinkHandler>(() => {})

type Props = Omit<ComponentProps<'a'>, 'href'> & { to: string }

/**
 * A link whose page opens in this document. Cheaper than the router's component, which resolves its address on each render: a
 * list has a hundred links.
 */
export function Link({ to, onClick, children, ...rest }: Props) {
  const handleClick = use(LinkHandlerContext)
  return (
    <a
      {...rest}
      href={spokenAddress(to)}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) handleClick(event)
      }}
    >
      {children}
    </a>
  )
}

type NavProps = Omit<Props, 'className'> & {
  className: (isCurrent: boolean) => string
  /** Only an exact match is current. */
  end?: boolean
}

/** A link with `aria-current` on its own page. */
export function NavLink({ to, className, end = false, ...rest }: NavProps) {
  const current = useLocation().pathname.toLowerCase()
  const target = to.toLowerCase()
  const isCurrent = current === target || (!end && current.startsWith(`${target}/`))
  return <Link {...rest} to={to} className={className(isCurrent)} aria-current={isCurrent ? 'page' : undefined} />
}
