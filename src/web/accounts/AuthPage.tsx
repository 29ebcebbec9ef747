import { useRef, useState, type KeyboardEvent } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useSite } from '#web/api/use-site.ts'
import { AnimalPicture } from '#web/catalog/AnimalPicture.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { CredentialsForm } from './CredentialsForm.tsx'
import { LoginForm } from './LoginForm.tsx'
import { Registration } from './registration.ts'
import { RegistrationTerms } from './RegistrationTerms.tsx'
import { returnPath } from './return-to.ts'
import { useSession } from './use-session.ts'

const tabs = [
  { id: 'login', title: 'Login' },
  { id: 'register', title: 'Register' },
] as const satisfies readonly { id: string; title: Word }[]
type Tab = (typeof tabs)[number]['id']

/** Redirects signed-in users, as signing in does (`returnPath`). */
export function AuthPage() {
  const site = useSite()
  const { search } = useLocation()
  const { user, login, register } = useSession()
  const [activeTab, setActiveTab] = useState<Tab>('login')
  if (user) return <Navigate to={returnPath(search, user)} replace />
  return (
    <>
      <PageHead
        title={say('Login or register')}
        description={say('Sign in to {shop}, or create an account.', { shop: site.name })}
      />
      <div className="shell grid gap-x-10 gap-y-10 pt-8 md:grid-cols-2 lg:gap-x-16 lg:pt-12">
        <div className="lg:py-4">
          <h1 className="text-headline">{say('Come on in')}</h1>
          <p className="mt-4 text-ink-soft">
            {say('For partners, and for creators who want to be. You don’t need an account to shop.')}
          </p>
          <Tabs active={activeTab} onSelect={setActiveTab} />
          {activeTab === 'login' ? (
            <div role="tabpanel" id="panel-login" aria-labelledby="tab-login">
              <LoginForm onSend={login} />
            </div>
          ) : (
            <div role="tabpanel" id="panel-register" aria-labelledby="tab-register">
              <CredentialsForm
                schema={Registration}
                isNew
                onSend={register}
                labels={{ idle: say('Register'), busy: say('Creating account...'), failed: say('Registration failed') }}
                note={<RegistrationTerms />}
              />
            </div>
          )}
        </div>
        <AnimalPicture of={0} className="aspect-video md:aspect-square lg:hidden" />
        <PartnerProgram />
      </div>
    </>
  )
}

/** One tab stop; the arrow keys choose (ARIA Authoring Practices, tabs). */
function Tabs({ active, onSelect }: { active: Tab; onSelect: (tab: Tab) => void }) {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const last = tabs.length - 1
    const at = tabs.findIndex(({ id }) => id === active)
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ]
    const tab = to === undefined ? undefined : tabs[to]
    if (!tab) return
    event.preventDefault()
    onSelect(tab.id)
    list.current?.querySelector<HTMLElement>(`#tab-${tab.id}`)?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={say('Login or register')}
      tabIndex={-1}
      className="mt-8 mb-8 grid grid-cols-2 border-b border-line"
      onKeyDown={onKeyDown}
    >
      {tabs.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`tab-${id}`}
          aria-selected={id === active}
          {...(id === active && { 'aria-controls': `panel-${id}` })}
          tabIndex={id === active ? 0 : -1}
          onClick={() => onSelect(id)}
          className={classNames(
            '-mb-px min-h-12 border-b-2 font-semibold transition-colors',
            id === active ? 'border-ink text-ink' : 'border-transparent text-ink-soft hover:text-ink',
          )}
        >
          {say(title)}
        </button>
      ))}
    </div>
  )
}

const advantages = [
  { title: 'Wholesale pricing', text: 'for qualified partners.' },
  { title: 'Custom collaboration', text: 'from first sketch to last stitch.' },
  { title: 'Exclusive access', text: 'to limited edition products.' },
  { title: 'Marketing support', text: 'and ready-to-use resources.' },
] as const satisfies readonly Record<string, Word>[]

const PartnerProgram = () => (
  <aside
    aria-labelledby="program"
    className="on-dark hidden content-start overflow-hidden rounded-card bg-charcoal pattern text-ivory lg:grid"
  >
    <AnimalPicture of={0} className="aspect-[2] rounded-none" />
    <div className="p-9 xl:p-10">
      <h2 id="program" className="text-title">
        {say('The partnership program')}
      </h2>
      <p className="mt-3 max-w-[28em] text-ivory/85">
        {say('You know an animal that people love. We know how to make a hat. The rest is in the program:')}
      </p>
      <ul className="mt-5 grid gap-3">
        {advantages.map(({ title, text }) => (
          <li key={title} className="flex gap-4">
            <Icon name="check" className="mt-0.5 size-6 text-gold" />
            <p>
              <strong className="font-semibold">{say(title)}</strong> <span className="text-ivory/85">{say(text)}</span>
            </p>
          </li>
        ))}
      </ul>
    </div>
  </aside>
)
