ALTER TABLE "product_draft" ADD COLUMN "batch" text;--> statement-breakpoint
ALTER TABLE "product_draft" ADD COLUMN "batch_blank_id" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "product_draft_batch_batch_blank_id_index" ON "product_draft" USING btree ("batch","batch_blank_id");--> statement-breakpoint
CREATE UNIQUE INDEX "product_draft_made_once" ON "product_draft" USING btree (("content" ->> 'slug')) WHERE "product_draft"."state" = 'creating';--> statement-breakpoint
UPDATE "product_draft" SET "content" = ("content" - 'placement') || jsonb_build_object(
  'placements', CASE jsonb_typeof("content" -> 'placement')
    WHEN 'object' THEN jsonb_build_array("content" -> 'placement') ELSE '[]'::jsonb END,
  'keywords', '[]'::jsonb)
WHERE NOT "content" ? 'placements';
--> statement-breakpoint
-- nobody uses it since 0013: a generated column can't be changed, so the next statement makes it again, with keywords.
ALTER TABLE product DROP COLUMN search_words;
--> statement-breakpoint
ALTER TABLE product ADD COLUMN search_words tsvector GENERATED ALWAYS AS (
  setweight(to_tsvector('english', name), 'A') ||
  setweight(to_tsvector('english', replace(type, '-', ' ') || ' ' || collection), 'B') ||
  setweight(to_tsvector('english', jsonb_path_query_array(colors, '$[*].name')), 'B') ||
  setweight(to_tsvector('english', jsonb_path_query_array(metadata, '$.keywords[*]')), 'B') ||
  setweight(to_tsvector('english', description), 'C')
) STORED;
--> statement-breakpoint
CREATE INDEX product_search_words ON product USING gin (search_words);
