export const HomePage = () => <h1 className="shell">HomePage</h1>
