import { createContext, use, type ComponentProps, type MouseEvent } from 'react'
import { useLocation } from 'react-router'

/** What a press on a link does besides what the browser makes of it: nothing, where there is no browser. */
export type LinkHandler = (event: MouseEvent<HTMLAnchorElement>) => void

export const LinkHandlerContext = createContext<LinkHandler>(() => {})

type Props = Omit<ComponentProps<'a'>, 'href'> & { to: string }

/**
 * A link whose page opens in this document. A list has a hundred of them, and the router's own component looks for the address,
 * and prepares for being pressed, in each: here the press itself does.
 */
export function Link({ to, onClick, children, ...rest }: Props) {
  const follow = use(LinkHandlerContext)
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) follow(event)
      }}
    >
      {children}
    </a>
  )
}

type NavProps = Omit<Props, 'className'> & {
  className: (isHere: boolean) => string
  /** Pages below its own are elsewhere. */
  end?: boolean
}

/** A link that says when it leads to where one is. */
export function NavLink({ to, className, end = false, ...rest }: NavProps) {
  const here = useLocation().pathname.toLowerCase()
  const its = to.toLowerCase()
  const isHere = here === its || (!end && here.startsWith(`${its}/`))
  return <Link {...rest} to={to} className={className(isHere)} aria-current={isHere ? 'page' : undefined} />
}
