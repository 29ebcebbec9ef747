import { PROCESSING_BUSINESS_DAYS } from '#site/policies.ts'
import { Icon } from '#web/ui/Icon.tsx'

const highlights = [
  { figure: '0', text: 'forecasts given, in every episode so far' },
  { figure: '1', text: 'at a time: each piece is made when you order it' },
  {
    figure: `${PROCESSING_BUSINESS_DAYS.from}-${PROCESSING_BUSINESS_DAYS.to}`,
    text: 'business days in the workshop, then it is on its way to you',
  },
] as const

export const StoryBlock = ({ channel, pet }: { channel: { name: string; url: string }; pet: string }) => (
  <section aria-labelledby="story" className="on-dark mt-24 bg-strong pattern text-ivory lg:mt-32">
    <div className="shell grid gap-x-16 gap-y-12 py-16 lg:grid-cols-[1.15fr_1fr] lg:py-24">
      <div>
        <h2 id="story" className="max-w-[9.3em] text-headline">
          The dog who slept through the gold rush
        </h2>
        <div className="mt-6 grid max-w-[34.8em] gap-4 text-lg text-ivory/85">
          <p>
            On {channel.name}, a man at a desk explains what gold did overnight. Behind him, on whatever is softest,
            lies {pet}. The man has opinions on silver. {pet} has opinions on the cushion.
          </p>
          <p>
            Viewers began to ask about the dog. Then they asked whether there was a hat. There is a hat now, and the
            rest grew around it.
          </p>
        </div>
        <a
          href={channel.url}
          rel="noopener"
          className="mt-8 inline-flex min-h-12 items-center gap-2 rounded-card border border-gold px-6 font-semibold text-ivory transition-colors hover:bg-gold hover:text-charcoal"
        >
          Watch {channel.name}
          <Icon name="out" className="size-5" />
        </a>
      </div>
      <dl className="grid content-center gap-8">
        {highlights.map(({ figure, text }) => (
          <div key={figure} className="grid grid-cols-[5.25rem_1fr] items-baseline gap-4 border-t border-ivory/20 pt-6">
            <dt className="font-display text-[3rem] leading-none font-[480] whitespace-nowrap text-gold">{figure}</dt>
            <dd className="text-lg">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  </section>
)
