-- The first types named no fabric of the pillow, and the polo's was not its blank's. A fact that the owner has changed stays; the history
-- is corrected too, or the next change would seem to be this one.
UPDATE "product_type" SET "facts" = replace("facts"::text, '"Printed on both sides, hidden zip"', '"Polyester, printed on both sides, hidden zip"')::jsonb
WHERE "key" = 'pillow';--> statement-breakpoint
UPDATE "catalog_revision" SET "content" = replace("content"::text, '"Printed on both sides, hidden zip"', '"Polyester, printed on both sides, hidden zip"')::jsonb
WHERE "kind" = 'product_type' AND "key" = 'pillow';--> statement-breakpoint
UPDATE "product_type" SET "facts" = replace("facts"::text, '"Cotton piqué with a ribbed collar"', '"Piqué of 65% polyester and 35% cotton, ribbed collar"')::jsonb
WHERE "key" = 'polo';--> statement-breakpoint
UPDATE "catalog_revision" SET "content" = replace("content"::text, '"Cotton piqué with a ribbed collar"', '"Piqué of 65% polyester and 35% cotton, ribbed collar"')::jsonb
WHERE "kind" = 'product_type' AND "key" = 'polo';
