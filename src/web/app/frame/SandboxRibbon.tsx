import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#web/api/queries.ts'

export function SandboxRibbon() {
  const { data: config } = useQuery(configQuery)
  if (!config?.sandbox) return null
  const { sandboxLinks: links } = config
  return (
    <aside aria-label="Sandbox" className="bg-gold text-charcoal">
      <p className="shell flex flex-wrap items-center justify-center gap-x-4 text-sm font-semibold">
        <span className="py-1">Sandbox: no real money</span>
        {links && (
          <>
            <a href={links.mailbox} className="py-1 underline underline-offset-2">
              Mailbox
            </a>
            <a href={links.cards} className="py-1 underline underline-offset-2">
              Test cards
            </a>
          </>
        )}
      </p>
    </aside>
  )
}
