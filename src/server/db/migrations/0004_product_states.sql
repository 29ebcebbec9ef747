CREATE TABLE "catalog_revision" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"version" integer NOT NULL,
	"content" jsonb NOT NULL,
	"source" text NOT NULL,
	"by" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "catalog_revision_kind_key_version_pk" PRIMARY KEY("kind","key","version"),
	CONSTRAINT "catalog_revision_kind_known" CHECK ("catalog_revision"."kind" in ('product', 'collection', 'product_type')),
	CONSTRAINT "catalog_revision_source_known" CHECK ("catalog_revision"."source" in ('import', 'merge', 'upload', 'admin', 'undo', 'schedule', 'printer'))
);
--> statement-breakpoint
CREATE TABLE "former_slug" (
	"slug" text PRIMARY KEY NOT NULL,
	"product_id" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "state" text DEFAULT 'published' NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "publish_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "former_slug" ADD CONSTRAINT "former_slug_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_slug_product_id_index" ON "former_slug" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "product_scheduled" ON "product" USING btree ("publish_at") WHERE "product"."state" = 'scheduled';--> statement-breakpoint
ALTER TABLE "product" ADD CONSTRAINT "product_state_known" CHECK ("product"."state" in ('draft', 'scheduled', 'published', 'retired'));--> statement-breakpoint
ALTER TABLE "product" ADD CONSTRAINT "product_scheduled_has_time" CHECK ("product"."state" <> 'scheduled' or "product"."publish_at" is not null);--> statement-breakpoint
UPDATE "product" SET "state" = 'retired' WHERE NOT "visible";--> statement-breakpoint
-- What the catalog file said of each product, and where the owner said otherwise, her values as the next version. The columns already
-- have both. `product_override` and `product.in_file` stay for instances of the release before; a later release removes them.
ALTER TABLE "product" ALTER COLUMN "in_file" SET DEFAULT '{}';--> statement-breakpoint
INSERT INTO "catalog_revision" ("kind", "key", "version", "content", "source", "by", "at")
  SELECT 'product', c.id::text, v.version, v.content, v.source, 'shop', c.updated_at
  FROM (
    SELECT p.id, p.updated_at, p.in_file, jsonb_build_object(
      'slug', p.slug, 'name', p.name, 'description', p.description, 'collection', p.collection, 'type', p.type,
      'badge', p.badge, 'rating', p.rating, 'reviewCount', p.review_count, 'metadata', p.metadata,
      'requiresOptions', p.requires_options, 'providerProductId', p.provider_product_id, 'colors', p.colors,
      'place', p.place, 'state', p.state, 'publishAt', null,
      'pictures', (SELECT coalesce(jsonb_agg(jsonb_build_object('view', f.view, 'color', f.color, 'file', f.file,
        'widths', f.widths, 'width', f.width, 'height', f.height) ORDER BY f.position), '[]')
        FROM product_picture f WHERE f.product_id = p.id)) AS content
    FROM product p
  ) c CROSS JOIN LATERAL (
    SELECT c.content || jsonb_build_object('badge', c.in_file->'badge', 'description', c.in_file->'description',
      'metadata', c.in_file->'metadata', 'place', null,
      'state', CASE WHEN (c.in_file->'visible')::boolean THEN 'published' ELSE 'retired' END) AS content
  ) file CROSS JOIN LATERAL (VALUES (1, 'import', file.content), (2, 'merge', c.content)) AS v (version, source, content)
  WHERE v.version = 1 OR file.content <> c.content;--> statement-breakpoint
UPDATE "product" p SET "version" = 2 FROM "catalog_revision" r
  WHERE r.kind = 'product' AND r.key = p.id::text AND r.version = 2;--> statement-breakpoint
-- Instances of the release before write `visible` alone.
CREATE FUNCTION product_visible_follows_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND new.state = old.state AND new.visible <> old.visible THEN
    new.state := CASE WHEN new.visible THEN 'published' ELSE 'retired' END;
  END IF;
  new.visible := new.state = 'published';
  RETURN new;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_visible_follows_state BEFORE INSERT OR UPDATE ON product
  FOR EACH ROW EXECUTE FUNCTION product_visible_follows_state();
--> statement-breakpoint
DROP TRIGGER product_is_shown ON product;
--> statement-breakpoint
CREATE TRIGGER product_is_shown AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF
  id, slug, name, description, collection, type, badge, rating, review_count, metadata, requires_options,
  provider_product_id, colors, visible, state, place
  ON product FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
