CREATE TABLE "search_miss" (
	"day" date NOT NULL,
	"words" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "search_miss_day_words_pk" PRIMARY KEY("day","words")
);

--> statement-breakpoint
CREATE TRIGGER spellings_are_shown AFTER INSERT OR UPDATE
  ON setting FOR EACH ROW WHEN (new.name = 'search_spellings') EXECUTE FUNCTION notify_page_change();
