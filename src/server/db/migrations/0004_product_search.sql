CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- What a search reads, kept by the database itself. The table's type in schema.ts does not name these columns, so that nothing
-- else loads them.
ALTER TABLE product ADD COLUMN search_words tsvector GENERATED ALWAYS AS (
  setweight(to_tsvector('english', name), 'A') ||
  setweight(to_tsvector('english', replace(type, '-', ' ') || ' ' || collection), 'B') ||
  setweight(to_tsvector('english', jsonb_path_query_array(colours, '$[*].name')), 'B') ||
  setweight(to_tsvector('english', description), 'C')
) STORED;
--> statement-breakpoint
ALTER TABLE product ADD COLUMN search_names text GENERATED ALWAYS AS (
  lower(name || ' ' || replace(type, '-', ' ') || ' ' || collection || ' ' || jsonb_path_query_array(colours, '$[*].name')::text)
) STORED;
--> statement-breakpoint
CREATE INDEX product_search_words ON product USING gin (search_words);
--> statement-breakpoint
CREATE INDEX product_search_names ON product USING gin (search_names gin_trgm_ops);
