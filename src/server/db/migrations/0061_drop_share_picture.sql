ALTER TABLE "drop" ADD COLUMN "share_picture" text;--> statement-breakpoint
-- Pages name the picture.
DROP TRIGGER drop_made_notifies ON "drop";
--> statement-breakpoint
CREATE TRIGGER drop_made_notifies AFTER INSERT OR UPDATE OF decision, title, starts_at, ends_at, pieces, limit_per_person, early_minutes, early_codes, is_early_for_readers, room_per_minute, share_picture, shown_state, is_shown_early
  ON "drop" FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
