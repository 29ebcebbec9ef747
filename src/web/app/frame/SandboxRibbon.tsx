import { useQuery } from '@tanstack/react-query'
import { say } from '#words/say.ts'
import { configQuery } from '#web/api/queries.ts'

export function SandboxRibbon() {
  const { data: config } = useQuery(configQuery)
  if (!config?.sandbox) return null
  const { sandboxLinks: links } = config
  return (
    <aside aria-label={say('Sandbox')} className="bg-gold text-charcoal">
      <p className="shell flex flex-wrap items-center justify-center gap-x-4 text-sm font-semibold max-sm:gap-x-3 max-sm:text-[0.8125rem]">
        <span className="py-1">{say('Sandbox: no real money')}</span>
        {links && (
          <>
            <a href={links.mailbox} className="py-1 underline underline-offset-2">
              {say('Mailbox')}
            </a>
            <a href={links.cards} className="py-1 underline underline-offset-2">
              {say('Test cards')}
            </a>
          </>
        )}
      </p>
    </aside>
  )
}
