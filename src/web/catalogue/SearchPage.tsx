export const SearchPage = () => <h1 className="shell">SearchPage</h1>
