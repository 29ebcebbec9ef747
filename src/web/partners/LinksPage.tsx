import { Links } from './Links.tsx'
import { PortalFrame } from './PortalFrame.tsx'
import { YourCodes } from './YourCodes.tsx'

/** `/partnership/links`: a partner's links and codes. */
export const LinksPage = () => (
  <PortalFrame title="Links and codes">
    {() => (
      <>
        <section aria-label="Links" className="min-w-0">
          <Links />
        </section>
        <YourCodes />
      </>
    )}
  </PortalFrame>
)
