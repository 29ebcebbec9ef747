-- Every instance keeps pages and public answers; whoever changes what they show tells all of them, once the change is committed.
-- A transaction tells once, however much it changes. What only a synchronisation notes of a product is shown nowhere.
CREATE FUNCTION tell_of_pages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('pages_changed', '');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER product_is_shown AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF
  id, slug, name, description, collection, type, badge, rating, review_count, metadata, requires_options,
  provider_product_id, colours, visible, place
  ON product FOR EACH STATEMENT EXECUTE FUNCTION tell_of_pages();--> statement-breakpoint
CREATE TRIGGER variant_is_shown AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
  ON variant FOR EACH STATEMENT EXECUTE FUNCTION tell_of_pages();--> statement-breakpoint
CREATE TRIGGER picture_is_shown AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
  ON product_picture FOR EACH STATEMENT EXECUTE FUNCTION tell_of_pages();--> statement-breakpoint
CREATE TRIGGER copied_picture_is_shown AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
  ON copied_picture FOR EACH STATEMENT EXECUTE FUNCTION tell_of_pages();--> statement-breakpoint
CREATE TRIGGER content_is_shown AFTER INSERT OR UPDATE
  ON setting FOR EACH ROW WHEN (new.name = 'content') EXECUTE FUNCTION tell_of_pages();--> statement-breakpoint
CREATE TRIGGER content_is_taken_back AFTER DELETE
  ON setting FOR EACH ROW WHEN (old.name = 'content') EXECUTE FUNCTION tell_of_pages();
